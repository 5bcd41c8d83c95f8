/** Whether a run may still come to something. */
export function isOpen({ status }: { readonly status: string }): boolean {
  return status === "PENDING" || status === "AWAITING_CONFIRMATION";
}
