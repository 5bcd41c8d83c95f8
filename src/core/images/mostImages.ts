/** The most images of one request; the newest ones are sent. */
export const mostImages = 20;
