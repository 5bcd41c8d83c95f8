import { UserError } from "../errors.js";

/** An edit that is legal, and that the document's form does not take. */
export class CannotEdit extends UserError {
  constructor() {
    super(
      "The log cannot be edited in this place as it is. Mend it by hand: rooroo validate job-log says where.",
    );
  }
}
