/** Returns how a language writes numbers and dates, in the format that d3 expects. */
export function vegaLocale(language: string) {
  const number = new Intl.NumberFormat(language).formatToParts(-1234567.5);
  const part = (type: Intl.NumberFormatPartTypes, usual: string) =>
    number.find((one) => one.type === type)?.value ?? usual;
  const names = (options: Intl.DateTimeFormatOptions, moments: readonly number[]) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
    return moments.map((ms) => format.format(ms));
  };
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 15));
  // 1 January 2023 was a Sunday, which is the first day of the week in this format.
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, day + 1));
  return {
    number: {
      decimal: part("decimal", "."),
      thousands: part("group", ","),
      grouping: [3],
      currency: ["", ""],
    },
    time: {
      dateTime: "%x, %X",
      date: "%d.%m.%Y",
      time: "%H:%M:%S",
      periods: ["AM", "PM"],
      months: names({ month: "long" }, months),
      shortMonths: names({ month: "short" }, months),
      days: names({ weekday: "long" }, days),
      shortDays: names({ weekday: "short" }, days),
    },
  };
}
