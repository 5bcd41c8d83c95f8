import { call, done } from "./script.mjs";

const enough = "That is enough";

const summary = `# Ideas for tally

- **Recurring invoices**: a schedule that makes the same invoice each month. Price: dates and time zones.
- **More currencies**: one invoice, one currency, rounding rules for each. Price: amounts in cents no longer fit all.
- **Credit notes**: an invoice that takes another one back. Price: little, and shops need it by law.

Next: decide which one a shop would pay for first.
`;

/** @type {import("./script.mjs").Script} */
export const sparkIdeas = [
  {
    say: [
      "Three directions, each with its price:",
      "",
      "- **Recurring invoices**: much wanted, but dates are hard.",
      "- **More currencies**: opens markets, but touches every amount.",
      "- **Credit notes**: small, and shops need them anyway.",
      "",
      "*(I am the scripted demo model: a real one would start from your own words.)*",
    ].join("\n"),
    calls: [
      call("ask_followup_question", {
        question: "Which one shall we think through?",
        suggestions: ["Recurring invoices", "More currencies", "Credit notes", enough],
      }),
    ],
  },
  ({ heard }) => {
    const choice = heard.includes(enough)
      ? "All right."
      : `"${heard}": then start with the smallest thing that someone would use.`;
    return {
      say: choice,
      calls: [
        call("ask_followup_question", {
          question: "Shall I write a summary to `.rooroo/brainstorming/next-steps.md`?",
          suggestions: ["Yes, write it down", "No, thanks"],
        }),
      ],
    };
  },
  ({ heard }) => {
    if (!/^(y|ok|sure|please)/i.test(heard)) return done("A good talk. Nothing was written down.");
    return {
      say: "I write it down.",
      calls: [
        call("write_to_file", { path: ".rooroo/brainstorming/next-steps.md", content: summary }),
      ],
    };
  },
  done("The ideas are in `.rooroo/brainstorming/next-steps.md`.", {
    output_artifact_paths: [".rooroo/brainstorming/next-steps.md"],
  }),
];
