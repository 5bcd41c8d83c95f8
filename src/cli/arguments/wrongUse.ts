import { UserError } from "../../core/errors.js";

/** Thrown when a command cannot begin as it was given; the message says what to give instead. */
export class WrongUse<const Template extends string = string> extends UserError<Template> {
  /** Returns a `WrongUse` with the words of another error. */
  static of(error: Pick<UserError, "code" | "template" | "params">): WrongUse {
    return new WrongUse(error.code, error.template, error.params);
  }
}
