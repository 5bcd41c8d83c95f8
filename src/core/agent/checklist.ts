/** One step of what an expert means to do, as it last said. */
export interface ChecklistStep {
  readonly text: string;
  readonly state: "open" | "doing" | "done";
}
