import { show } from "../fakes/vscode/api.js";
import { Editor } from "../fakes/vscode/editor.js";

/** Has the tests of a group run in a fake window, which is opened before the first and closed after the last of them. */
export function useEditor(
  options: ConstructorParameters<typeof Editor>[0],
  onOpen?: (editor: Editor) => void,
): void {
  let editor: Editor;
  before(() => {
    editor = new Editor(options);
    show(editor);
    onOpen?.(editor);
  });
  after(() => editor.close());
}
