/** As in `$1.24`, `$0.0042`; empty where it is unknown or nothing. */
export function costText(usd: number | undefined): string {
  if (usd === undefined || usd <= 0) return "";
  if (usd < 0.00005) return "<$0.0001";
  return usd < 0.1 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}
