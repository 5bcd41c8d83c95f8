/** A text of the manifest, which has its key; `package.nls.json` has its English, other files its translations. */
export class Text {
  constructor(
    readonly key: string,
    readonly english: string,
  ) {}
}
