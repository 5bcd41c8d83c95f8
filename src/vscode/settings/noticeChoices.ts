/** What notices are about: everything, only what waits for the user, or nothing. */
export const noticeChoices = ["all", "needsYou", "none"] as const;
export type NoticeChoice = (typeof noticeChoices)[number];
