/** Shown instead of a page that the phone's browser can't run. */
export const tooOldPhone = 'Questo telefono è troppo vecchio per la sorpresa: prova con un altro.';
