/** An agent's plan and its progress. */

export const planStatuses = ["pending", "running", "completed"] as const;

export interface PlanStep {
  /** The step's number, as in `1` or `1.2`. */
  readonly step: string;
  readonly title: string;
  readonly status: (typeof planStatuses)[number];
  readonly substeps?: readonly PlanStep[] | undefined;
}
