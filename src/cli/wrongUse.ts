import { UserError } from "../core/errors.js";

/** Thrown when a command cannot begin as it was given; the message says what to give instead. */
export class WrongUse extends UserError {}
