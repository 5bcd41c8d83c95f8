/** The most attachments of one request, with those that its text names. */
export const mostAttachments = 20;
