import { filled, type WrittenLanguage, type Written } from "../../text/writtenLanguage.js";

/** The sentences and headings that code writes into the documents of a run, which are in the language of its request. */
export interface RunWords {
  readonly proposal: string;
  readonly decide: string;
  readonly asked: string;
  readonly done: string;
  readonly material: string;
  readonly instructions: string;
  readonly lasting: string;
  readonly conflicts: string;
  readonly questions: string;
  readonly change: string;
  /** What a folder has: `{0}` is a count, `{1}` a list behind a colon, or nothing. */
  readonly has: string;
  readonly noFiles: string;
  readonly oneFile: string;
  readonly files: string;
  readonly more: string;
  readonly remove: string;
  readonly failed: string;
  readonly errorLog: string;
  readonly wasCancelled: string;
  readonly cancelled: string;
  readonly tryAgain: string;
  readonly tryOrSkip: string;
  readonly noOutputs: string;
  readonly outputs: string;
  readonly said: string;
  readonly leftOut: string;
  readonly leftOutNote: string;
  /** `{0}` is the sentence's list in English, `{1}` and `{2}` are requests and tokens, `{3}` the cost behind a comma. */
  readonly used: string;
}

const runWords: Written<RunWords> = {
  en: {
    proposal: "What {0} is to hold to",
    decide:
      "Confirm this, say what is to change, or cancel. You may edit the table before you confirm.",
    asked: "What you asked for",
    done: "What will be done",
    material: "Material",
    instructions: "Instructions",
    lasting:
      "An instruction of the type goal or scope holds for this run only, any other for later runs, too.",
    conflicts: "What is at odds with earlier instructions",
    questions: "Open questions",
    change: "What is to change",
    has: "has {0}{1}.",
    noFiles: "no files",
    oneFile: "1 file",
    files: "{0} files",
    more: "and {0} more",
    remove: "Remove this line if the run is not to read them.",
    failed: "{0} has failed",
    errorLog: "Error log",
    wasCancelled: "{0} was cancelled",
    cancelled: "{0}: cancelled by user.",
    tryAgain: "You can have it tried again.",
    tryOrSkip: "You can have it tried again or go on without what has failed.",
    noOutputs: "Outputs: none.",
    outputs: "Outputs:",
    said: "You said to its agents while they worked:",
    leftOut: "Left out:",
    leftOutNote: "Left out: {0}. Reason: {1}",
    used: "Used: {0}.",
  },
  de: {
    proposal: "Woran sich {0} halten soll",
    decide:
      "Bestätigen Sie dies, sagen Sie, was sich ändern soll, oder brechen Sie ab. Die Tabelle dürfen Sie vor dem Bestätigen bearbeiten.",
    asked: "Was Sie verlangt haben",
    done: "Was getan wird",
    material: "Material",
    instructions: "Vorgaben",
    lasting:
      "Eine Vorgabe der Art goal oder scope gilt nur für diesen Durchlauf, jede andere auch für spätere.",
    conflicts: "Was früheren Vorgaben widerspricht",
    questions: "Offene Fragen",
    change: "Was sich ändern soll",
    has: "hat {0}{1}.",
    noFiles: "keine Dateien",
    oneFile: "1 Datei",
    files: "{0} Dateien",
    more: "und {0} weitere",
    remove: "Entfernen Sie diese Zeile, wenn der Durchlauf sie nicht lesen soll.",
    failed: "{0} ist fehlgeschlagen",
    errorLog: "Fehlerprotokoll",
    wasCancelled: "{0} wurde abgebrochen",
    cancelled: "{0}: vom Benutzer abgebrochen.",
    tryAgain: "Sie können es noch einmal versuchen lassen.",
    tryOrSkip:
      "Sie können es noch einmal versuchen lassen oder ohne das, was fehlgeschlagen ist, fortfahren.",
    noOutputs: "Ergebnisse: keine.",
    outputs: "Ergebnisse:",
    said: "Das haben Sie den Agenten während der Arbeit gesagt:",
    leftOut: "Weggelassen:",
    leftOutNote: "Weggelassen: {0}. Grund: {1}",
    used: "Verbraucht: Anfragen {1}, Token {2}{3}.",
  },
  es: {
    proposal: "A qué debe atenerse {0}",
    decide:
      "Confirme esto, diga qué debe cambiar o cancele. Puede editar la tabla antes de confirmar.",
    asked: "Lo que ha pedido",
    done: "Lo que se hará",
    material: "Material",
    instructions: "Instrucciones",
    lasting:
      "Una instrucción del tipo goal o scope vale solo para esta ejecución; cualquier otra, también para las siguientes.",
    conflicts: "Lo que contradice instrucciones anteriores",
    questions: "Preguntas abiertas",
    change: "Lo que debe cambiar",
    has: "tiene {0}{1}.",
    noFiles: "ningún archivo",
    oneFile: "1 archivo",
    files: "{0} archivos",
    more: "y {0} más",
    remove: "Quite esta línea si la ejecución no debe leerlos.",
    failed: "{0} ha fallado",
    errorLog: "Registro de errores",
    wasCancelled: "{0} se canceló",
    cancelled: "{0}: cancelada por el usuario.",
    tryAgain: "Puede hacer que se intente de nuevo.",
    tryOrSkip: "Puede hacer que se intente de nuevo o continuar sin lo que ha fallado.",
    noOutputs: "Resultados: ninguno.",
    outputs: "Resultados:",
    said: "Esto dijo usted a los agentes mientras trabajaban:",
    leftOut: "Omitido:",
    leftOutNote: "Omitido: {0}. Motivo: {1}",
    used: "Uso: solicitudes {1}, tokens {2}{3}.",
  },
  ja: {
    proposal: "{0} が守ること",
    decide:
      "確定するか、変更したい点を伝えるか、取り消してください。確定する前に表を編集できます。",
    asked: "依頼の内容",
    done: "行うこと",
    material: "資料",
    instructions: "指示",
    lasting:
      "種類が goal または scope の指示はこの実行だけに、それ以外は以降の実行にも適用されます。",
    conflicts: "以前の指示と矛盾する点",
    questions: "未解決の質問",
    change: "変更する点",
    has: "には{0}{1}。",
    noFiles: "ファイルはありません",
    oneFile: "1 個のファイルがあります",
    files: "{0} 個のファイルがあります",
    more: "ほか {0} 個",
    remove: "この実行で読ませない場合は、この行を削除してください。",
    failed: "{0} は失敗しました",
    errorLog: "エラーログ",
    wasCancelled: "{0} は取り消されました",
    cancelled: "{0}: ユーザーが取り消しました。",
    tryAgain: "もう一度試すことができます。",
    tryOrSkip: "もう一度試すか、失敗した部分を除いて続けることができます。",
    noOutputs: "成果物: なし。",
    outputs: "成果物:",
    said: "作業中のエージェントに伝えたこと:",
    leftOut: "省いたもの:",
    leftOutNote: "省いたもの: {0}。理由: {1}",
    used: "使用量: リクエスト {1}、トークン {2}{3}。",
  },
  zh: {
    proposal: "{0} 应遵守的内容",
    decide: "请确认，或说明要修改什么，或取消。确认之前可以编辑表格。",
    asked: "您的要求",
    done: "将要做的事",
    material: "资料",
    instructions: "指示",
    lasting: "类型为 goal 或 scope 的指示只对本次运行有效，其他的对以后的运行也有效。",
    conflicts: "与先前指示不一致之处",
    questions: "待解决的问题",
    change: "需要修改的内容",
    has: "有{0}{1}。",
    noFiles: " 0 个文件",
    oneFile: " 1 个文件",
    files: " {0} 个文件",
    more: "另外还有 {0} 个",
    remove: "如果本次运行不应读取它们，请删除这一行。",
    failed: "{0} 失败了",
    errorLog: "错误日志",
    wasCancelled: "{0} 已取消",
    cancelled: "{0}：已由用户取消。",
    tryAgain: "您可以让它重试。",
    tryOrSkip: "您可以让它重试，或略过失败的部分继续。",
    noOutputs: "成果：无。",
    outputs: "成果：",
    said: "工作期间您对代理说过：",
    leftOut: "已略去：",
    leftOutNote: "已略去：{0}。原因：{1}",
    used: "用量：请求 {1}，令牌 {2}{3}。",
  },
};

/** Returns the sentences for a document in a language. */
export function runWordsIn(language: WrittenLanguage): RunWords {
  return runWords[language];
}

/** Returns how a sentence of a document may read: in each language. */
export function everyForm(name: keyof RunWords, ...values: readonly string[]): string[] {
  return Object.values(runWords).map((words) => filled(words[name], ...values));
}
