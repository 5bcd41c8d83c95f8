/** Why a task was left Pending, judged by its entry's summary. */
export interface SummaryKind {
  /** A blocker needs another plan; a pause needs only another turn. */
  readonly kind: "blocker" | "pause";
  /** `false` if the words fit both kinds, or neither. */
  readonly isCertain: boolean;
}

const blocker =
  /clarif|\bblock(ed|er|ing)\b|dependenc|\bneeds? (input|access|permission|approval|a decision|credentials)|\bmissing\b|\bcannot\b|\bunable to\b|澄清|阻塞|依赖|缺少|无法/i;
const pause =
  /quota|\bout of\b.{0,20}\bturns\b|in progress|\bresum|\bpaus|\bcontinu(e|ed)\b|\bto be continued\b|额度|进行中|继续|暂停|未完成/i;

/**
 * Judges a summary by its words. In doubt it is a pause: a runner that is still blocked says so again, while
 * a plan that was changed for nothing stays changed.
 */
export function summaryKind(summary: string): SummaryKind {
  const [isBlocker, isPause] = [blocker.test(summary), pause.test(summary)];
  return { kind: isBlocker && !isPause ? "blocker" : "pause", isCertain: isBlocker !== isPause };
}
