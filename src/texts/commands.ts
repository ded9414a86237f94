/** What the commands run by the administrator say. */
export const resetPasswordTexts = {
  usage: 'Uso: npm run reset-password -- e-mail',
  prompt: 'Nuova password (Invio per farne creare una): ',
  unknown: 'Nessun amministratore registrato con questa e-mail.',
  done: 'Password cambiata. Tutte le sessioni aperte sono state chiuse.',
  made: (password: string) => `Nuova password: ${password}`,
};

/** What a start says after the address she opens. */
export const startTexts = { prepare: 'La sorpresa si prepara qui' } as const;
