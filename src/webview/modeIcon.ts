/** Returns the codicon for an expert, by its mode. */
export function modeIcon(mode: string): string {
  const icons: readonly (readonly [RegExp, string])[] = [
    [/developer/, "code"],
    [/planner/, "list-tree"],
    [/analy[sz]er/, "graph"],
    [/idea|spark/, "lightbulb"],
    [/navigator/, "compass"],
    [/job-runner/, "rocket"],
  ];
  return icons.find(([pattern]) => pattern.test(mode))?.[1] ?? "hubot";
}
