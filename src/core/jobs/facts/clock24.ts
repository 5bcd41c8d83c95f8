/** Formats times for people, by the clock of one time zone. */
export class Clock24 {
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #year: Intl.DateTimeFormat;

  /**
   * @param zone an IANA name, such as `Europe/Berlin`
   * @param language the language of the months, as in `zh-cn`
   */
  constructor(
    readonly zone: string,
    language: string,
  ) {
    const own = { timeZone: zone } as const;
    const days = { ...own, day: "numeric", month: "short" } as const;
    const written = language === "en" ? "en-GB" : language;
    this.#time = new Intl.DateTimeFormat("en-GB", { ...own, hour: "2-digit", minute: "2-digit" });
    this.#day = new Intl.DateTimeFormat(written, days);
    this.#date = new Intl.DateTimeFormat(written, { ...days, year: "numeric" });
    this.#year = new Intl.DateTimeFormat("en-GB", { ...own, year: "numeric" });
  }

  /** Formats a time of day, as in `07:05`. */
  time(iso: string | number): string {
    return this.#time.format(new Date(iso));
  }

  /** Formats a day, as in `23 Nov`. */
  day(iso: string | number): string {
    return this.#day.format(new Date(iso));
  }

  /** Returns the milliseconds since the last midnight by this clock. */
  sinceMidnight(time: number): number {
    const [hours = 0, minutes = 0] = this.time(time).split(":").map(Number);
    return (hours * 60 + minutes) * 60_000 + (time % 60_000);
  }

  /**
   * Formats the ends of a span, with their days if they are not that of `now`, and with their years if these differ.
   */
  span(from: string, to: string, now: string): readonly [from: string, to: string] {
    const [first, last, today] = [from, to, now].map((one) => this.day(one));
    const years = new Set([from, to, now].map((one) => this.#year.format(new Date(one))));
    const dated = (iso: string) =>
      `${years.size > 1 ? this.#date.format(new Date(iso)) : this.day(iso)} ${this.time(iso)}`;
    if (years.size === 1 && first === last && last === today) {
      return [this.time(from), this.time(to)];
    }
    const isOneDay = first === last && Date.parse(to) - Date.parse(from) < 86_400_000;
    return [dated(from), isOneDay ? this.time(to) : dated(to)];
  }
}
