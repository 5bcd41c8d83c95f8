import { UserError } from "../../errors.js";

/** Thrown for an edit that is legal, but that cannot be made in the document's present form. */
export class CannotEdit extends UserError {
  constructor() {
    super(
      "The log cannot be edited in this place as it is. Mend it by hand: rooroo validate job-log says where.",
    );
  }
}
