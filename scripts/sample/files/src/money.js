const signs = { EUR: "€", GBP: "£", USD: "$" };

/**
 * @param {number} cents
 * @param {keyof typeof signs} [currency]
 */
export function formatMoney(cents, currency = "EUR") {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}${signs[currency]}${grouped}.${rest}`;
}
