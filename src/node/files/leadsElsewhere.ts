/**
 * Thrown instead of writing where the way to a file goes through a link. Its code is what
 * `FileError`s of this kind carry.
 */
export class LeadsElsewhere extends Error {
  readonly code = "ELEADSOUT";

  /** @param link absolute; `undefined` where a folder was exchanged and there is no link by now */
  constructor(readonly link: string | undefined) {
    super(
      link === undefined
        ? "a folder on the way was exchanged meanwhile"
        : `${link} is a link, and nothing is written through links`,
    );
  }
}
