/** Signing in and registering (spec 2 and 8). */
export const signInTexts = {
  signIn: {
    title: 'Area riservata',
    hint: 'Qui si prepara la sorpresa.',
    submit: 'Accedi',
    submitting: 'Accesso in corso…',
    toggle: 'Primo accesso? Registrati',
  },
  signUp: {
    title: 'Primo accesso',
    hint: 'Chi si registra ora prepara la sorpresa. Dopo, la registrazione si chiude.',
    submit: 'Registrati',
    submitting: 'Registrazione in corso…',
    toggle: 'Hai già un account? Accedi',
  },
  email: 'E-mail',
  password: 'Password',
  passwordRule,
  /** Names the button next to a password for screen readers. */
  showCharacters: 'Mostra i caratteri',
  setupCode: 'Codice di installazione',
  setupCodeHint: 'Il programma lo scrive all’avvio, dopo l’indirizzo; se è impostato SETUP_CODE, è quello.',
  signedIn: 'Accesso effettuato!',
  signedUp: 'Registrazione completata! Accesso effettuato.',
  signedOut: 'Disconnesso',
  signInFailed: 'Credenziali non valide',
  signUpFailed: 'Errore durante la registrazione',
  signOut: 'Esci',
  /** Sign-out during uploads. */
  signOutUploading: {
    question: 'Uscire durante un caricamento?',
    detail: 'Il caricamento si ferma. Per riprenderlo basterà scegliere di nuovo lo stesso file.',
    confirmLabel: 'Esci',
  },
  missing: 'Inserisci e-mail e password',
  notAnEmail: 'Controlla l’e-mail: manca qualcosa',
} as const;

/** Returns the rule of a new password, and how many characters are missing. */
function passwordRule(min: number, typed: number): string {
  if (typed >= min) return 'Lunghezza giusta. Evita le parole più comuni: meglio una frase tutta tua.';
  const rule = `Almeno ${min} caratteri, meglio una frase tutta tua.`;
  const left = min - typed;
  if (typed === 0) return rule;
  return left === 1 ? `${rule} Ne manca 1.` : `${rule} Ne mancano ${left}.`;
}

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
