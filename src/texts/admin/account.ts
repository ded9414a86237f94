/** «Il tuo accesso»: password, e-mail and devices of the administrator. */
export const accountTexts = {
  failed: 'Errore durante il salvataggio',
  current: 'Password attuale',
  wrongPassword: 'Non è la password attuale.',
  missingPassword: 'Scrivi la password attuale.',
  password: {
    title: 'Password',
    hint: 'Quando la cambi, gli altri dispositivi vengono scollegati.',
    next: 'Nuova password',
    submit: 'Cambia la password',
    changed: 'Password cambiata',
  },
  email: {
    title: 'E-mail',
    hint: (email: string) => `Adesso accedi con ${email}.`,
    next: 'Nuova e-mail',
    submit: 'Cambia l’e-mail',
    changed: 'E-mail cambiata',
  },
  devices: {
    title: 'Dispositivi collegati',
    hint: 'Chi è entrato con la tua password e non è ancora uscito.',
    loadFailed: 'Errore nel caricamento',
    list: 'Dispositivi, dal più recente',
    current: 'Questo',
    /** @param when text such as «12 minuti fa»; the pages update it every few minutes */
    used: (when: string) => `Ultimo uso: ${when}`,
    alone: 'Non ci sono altri dispositivi collegati.',
    submit: 'Scollega gli altri dispositivi',
    ended: 'Gli altri dispositivi sono stati scollegati',
  },
} as const;
