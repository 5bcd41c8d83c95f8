export const activityLogPath = ".rooroo/logs/activity.jsonl";
