import { filled, type Written, writtenLanguage } from "../../text/writtenLanguage.js";
import type { UnitInterrupted } from "./unitOfWork.js";

/** The sentences with which code asks in a job file. `{0}` is a task's id, `{1}` a number, `{2}` the reason. */
export interface QuestionWords {
  /** Asks about a task that was tried often enough; the number is at least 2. */
  readonly triedOften: string;
  /** Asks about failed tasks for which planners found no plan; the number is theirs, at least 2. */
  readonly noPlan: string;
  readonly setAside: string;
  readonly defaultPlan: string;
  readonly placeholder: string;
  readonly causes: Readonly<Record<"turns" | "refused" | "noProgress", string>>;
}

const inLanguages: Written<QuestionWords> = {
  en: {
    triedOften:
      "Task {0} was tried {1} times and is not done. The last time: {2}\nWhat should be done about it?",
    noPlan:
      "Task {0} has failed, and {1} planners found no plan that mends it. The last time: {2}\nWhat should be done about it?",
    setAside: "The task is set aside until you answer. All other tasks go on.",
    defaultPlan: "I need to know this, and go on with a default plan meanwhile.",
    placeholder: "Write your answer here.",
    causes: {
      turns: "All turns were used up.",
      refused: "What was handed in was not accepted.",
      noProgress: "No progress was made.",
    },
  },
  de: {
    triedOften:
      "Aufgabe {0} wurde {1}-mal versucht und ist nicht erledigt. Beim letzten Mal: {2}\nWas soll damit geschehen?",
    noPlan:
      "Aufgabe {0} ist fehlgeschlagen, und {1} Planer fanden keinen Plan, der sie behebt. Beim letzten Mal: {2}\nWas soll damit geschehen?",
    setAside:
      "Die Aufgabe ist zurückgestellt, bis Sie antworten. Alle anderen Aufgaben gehen weiter.",
    defaultPlan: "Das muss ich wissen; bis dahin geht es nach einem vorläufigen Plan weiter.",
    placeholder: "Schreiben Sie Ihre Antwort hierher.",
    causes: {
      turns: "Alle Runden wurden aufgebraucht.",
      refused: "Was abgegeben wurde, wurde nicht angenommen.",
      noProgress: "Es gab keinen Fortschritt.",
    },
  },
  es: {
    triedOften:
      "La tarea {0} se ha intentado {1} veces y no está hecha. La última vez: {2}\n¿Qué se debe hacer con ella?",
    noPlan:
      "La tarea {0} ha fallado y {1} planificadores no encontraron un plan que la resuelva. La última vez: {2}\n¿Qué se debe hacer con ella?",
    setAside: "La tarea queda apartada hasta que usted responda. Todas las demás continúan.",
    defaultPlan: "Necesito saberlo; mientras tanto sigo con un plan provisional.",
    placeholder: "Escriba aquí su respuesta.",
    causes: {
      turns: "Se agotaron todos los turnos.",
      refused: "Lo que se entregó no fue aceptado.",
      noProgress: "No hubo ningún avance.",
    },
  },
  ja: {
    triedOften:
      "タスク {0} は {1} 回試みられましたが、完了していません。前回: {2}\nこのタスクをどうしますか?",
    noPlan:
      "タスク {0} は失敗し、{1} 回計画し直しても解決策が見つかりませんでした。前回: {2}\nこのタスクをどうしますか?",
    setAside: "回答があるまでこのタスクは保留されます。ほかのタスクはすべて続行されます。",
    defaultPlan: "この点を確認させてください。それまでは仮の計画で進めます。",
    placeholder: "ここに回答を書いてください。",
    causes: {
      turns: "ターンをすべて使い切りました。",
      refused: "提出された結果は受け入れられませんでした。",
      noProgress: "進展がありませんでした。",
    },
  },
  zh: {
    triedOften: "任务 {0} 已尝试 {1} 次，仍未完成。最近一次：{2}\n应该如何处理？",
    noPlan: "任务 {0} 失败了，重新规划 {1} 次也没有找到解决方案。最近一次：{2}\n应该如何处理？",
    setAside: "在您回答之前，该任务会被搁置。其他任务照常进行。",
    defaultPlan: "我需要了解这一点，在此期间会按默认计划继续。",
    placeholder: "请在此填写您的回答。",
    causes: {
      turns: "所有轮次都已用完。",
      refused: "提交的结果未被接受。",
      noProgress: "没有取得进展。",
    },
  },
};

/** Returns the sentences in the language of a text; in English where that is not one of theirs. */
export function questionWords(text: string): QuestionWords {
  return inLanguages[writtenLanguage(text)];
}

/** The facts of a task that a question about it tells. */
interface Asked {
  readonly task: string;
  readonly tries: number;
  readonly why: string;
}

/** Returns the question about a task that was tried often enough. */
export function triedOftenQuestion(words: QuestionWords, { task, tries, why }: Asked): string {
  return filled(words.triedOften, task, tries, why);
}

/** Returns the question about failed tasks that were planned anew often enough. */
export function noPlanQuestion(words: QuestionWords, { task, tries, why }: Asked): string {
  return filled(words.noPlan, task, tries, why);
}

/** Returns why a unit ended without a result, for a person; `undefined` where only its own reason says it. */
export function causeWords(
  { causes }: QuestionWords,
  { cause }: Pick<UnitInterrupted, "cause">,
): string | undefined {
  return cause === "turns" || cause === "refused" || cause === "noProgress"
    ? causes[cause]
    : undefined;
}
