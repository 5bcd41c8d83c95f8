import {
  type ApprovalPreset,
  approvalPresets,
  type Category,
  categories,
  type CategoryRule,
  categoryRules,
  type CategoryRules,
} from "../../core/approvals/approvalRules.js";
import { WrongUse } from "../commands/wrongUse.js";

/** The parsed `--approve` option: what is allowed without asking. */
export interface Approve {
  readonly preset: ApprovalPreset;
  readonly categories: CategoryRules;
  /** The option's text as the user wrote it. */
  readonly text: string;
}

/** Parses `--approve`, as in `safe` or `all,web=ask,command=deny`. Throws {@link WrongUse} if invalid. */
export function parseApprove(text: string): Approve {
  const [first = "", ...others] = text.split(",").map((part) => part.trim());
  const rules: Partial<Record<Category, CategoryRule>> = {};
  for (const part of others) {
    const [, name, word] = /^(\w+)=(\w+)$/.exec(part) ?? [];
    const category = categories.find((one) => one === name);
    const rule = categoryRules.find((one) => one === word);
    if (category === undefined || rule === undefined) {
      throw new WrongUse(
        `--approve takes rules like web=ask behind its preset, not ${JSON.stringify(part)}. Categories are ${categories.join(", ")}; rules are ${categoryRules.join(", ")}.`,
      );
    }
    rules[category] = rule;
  }
  const preset = approvalPresets.find((one) => one === first);
  if (preset === undefined) {
    throw new WrongUse(
      `--approve takes ${approvalPresets.join(", ")}, not ${JSON.stringify(first)}. Rules for categories may follow, as in safe,web=deny.`,
    );
  }
  return { preset, categories: rules, text };
}
