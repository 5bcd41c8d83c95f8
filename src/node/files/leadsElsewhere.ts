/**
 * Thrown instead of writing when the path of a file goes through a link. The code is the one that
 * `FileError`s of this kind carry.
 */
export class LeadsElsewhere extends Error {
  readonly code = "ELEADSOUT";

  /** @param link absolute; `undefined` if a folder was exchanged and there is no link any more */
  constructor(readonly link: string | undefined) {
    super(
      link === undefined
        ? "a folder on the way was exchanged meanwhile"
        : `${link} is a link, and nothing is written through links`,
    );
  }
}
