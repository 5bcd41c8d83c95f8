/** The most answers to questions and proposals that are kept of what is typed; of more, those begun last. */
export const mostAnswers = 20;
