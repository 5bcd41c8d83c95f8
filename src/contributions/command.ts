import type { ViewId } from "./views.js";

/** The menus of VS Code, besides those of our own views, in which there are commands. */
type Menu =
  | "editor/context"
  | "editor/title"
  | "editor/title/context"
  | "explorer/context"
  | "scm/resourceGroup/context"
  | "scm/resourceState/context"
  | "scm/title"
  | "terminal/context";

interface Place {
  /** The context in which it is there, as a `when` clause. */
  readonly when: string;
  /** The group of the menu, and the place in it, as in `navigation@1`. */
  readonly group: string;
}

/** Rows of the view "Tasks" that have the command. */
interface Rows {
  /** Matches the context of the rows: `Row.context`. */
  readonly on: RegExp;
  /** The place among the buttons of the row. Absent: it has none. */
  readonly inline?: number;
  /** The place in the menu of the row. Absent: it is not there. */
  readonly group?: string;
}

interface Key {
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
  /** The argument. */
  readonly args?: string;
}

/** A command, with all places from which it can be called. */
export interface Command {
  readonly title: string;
  /** A codicon's name. */
  readonly icon?: string;
  /** The context in which it can be called, as a `when` clause. Absent: always. */
  readonly enablement?: string;
  /** The context in which the command palette offers it, as a `when` clause. Absent: always. */
  readonly palette?: string;
  readonly keys?: readonly Key[];
  /** The titles of our own views in which it is. */
  readonly titles?: readonly (Omit<Place, "when"> & {
    readonly view: ViewId;
    readonly when?: string;
  })[];
  readonly rows?: readonly Rows[];
  readonly menus?: Readonly<Partial<Record<Menu, Place>>>;
}
