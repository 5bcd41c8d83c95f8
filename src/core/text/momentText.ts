/** Formats a moment by the clock of this process, with its zone, as in `2026-03-01 17:05 UTC+1`. */
export function momentText(moment: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join("-");
  const offset = -moment.getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = `${offset < 0 ? "-" : "+"}${hours}${minutes === 0 ? "" : `:${two(minutes)}`}`;
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  return `${date} ${time} UTC${offset === 0 ? "" : zone}`;
}
