/** Signing in and registering (spec 2 and 8). */
export const adminDoorTexts = {
  signIn: {
    title: 'Area riservata',
    submit: 'Accedi',
    submitting: 'Accesso in corso…',
    toggle: 'Primo accesso? Registrati',
  },
  signUp: {
    title: 'Primo accesso',
    submit: 'Registrati',
    submitting: 'Registrazione in corso…',
    toggle: 'Hai già un account? Accedi',
  },
  email: 'E-mail',
  password: 'Password',
  setupCode: 'Codice di installazione',
  signedIn: 'Accesso effettuato!',
  signedUp: 'Registrazione completata! Accesso effettuato.',
  signedOut: 'Disconnesso',
  signInFailed: 'Credenziali non valide',
  signUpFailed: 'Errore durante la registrazione',
  dashboard: 'Pannello',
  signOut: 'Esci',
  missing: 'Inserisci e-mail e password',
} as const;
