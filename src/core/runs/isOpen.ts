/** Whether a run is not over yet. */
export function isOpen({ status }: { readonly status: string }): boolean {
  return status === "PENDING" || status === "AWAITING_CONFIRMATION";
}
