/** What an agent says it is going to do, and how far it has come. */

export const planStatuses = ["pending", "running", "completed"] as const;

export interface PlanStep {
  /** Its number, as in `1` or `1.2`. */
  readonly step: string;
  readonly title: string;
  readonly status: (typeof planStatuses)[number];
  readonly substeps?: readonly PlanStep[] | undefined;
}
