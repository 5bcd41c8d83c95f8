/** Formats a cost, as in `$1.24` or `$0.0042`; empty if it is unknown or zero. */
export function costText(usd: number | undefined): string {
  if (usd === undefined || usd <= 0) return "";
  if (usd < 0.00005) return "<$0.0001";
  return usd < 0.1 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}
