import { expect, test } from 'vitest';
import { commonTexts } from '../../src/texts/admin/common.ts';
import { formTexts } from '../../src/texts/admin/forms.ts';
import { networkTexts } from '../../src/texts/network.ts';
import { keeper } from '../support/admin-answers.ts';
import {
  alerts,
  answerWith,
  field,
  leave,
  offline,
  openPage,
  pass,
  press,
  sent,
  submit,
  told,
  unreadable,
  words,
  write,
} from '../support/admin-page.tsx';

const { conflict } = formTexts;
const { saveStates } = commonTexts;
/** What is typed saves itself when nobody has typed for a second. */
const WRITING_MS = 1_000;

type Row = {
  path: string;
  label: string;
  /** Its field in the record. */
  name: string;
  of?: 'questions';
  saved: string;
  failed: string;
  /** It waits until its field is left. */
  whenLeft?: true;
};
const ROWS: Row[] = [
  {
    path: '/admin/video-button',
    label: 'Testo del pulsante',
    name: 'video_button_text',
    saved: 'Testo del pulsante salvato!',
    failed: 'Errore nel salvataggio',
  },
  {
    path: '/admin/immagine',
    label: 'Titolo della destinazione',
    name: 'titolo_destinazione',
    saved: 'Configurazione salvata con successo!',
    failed: 'Errore durante il salvataggio',
  },
  {
    path: '/admin/ticket-instruction',
    label: 'Istruzioni',
    name: 'testo_istruzioni_biglietti',
    saved: 'Testo salvato con successo!',
    failed: 'Errore nel salvataggio del testo',
  },
  {
    path: '/admin/immagine',
    label: 'Data di ritorno',
    name: 'data_ritorno',
    saved: 'Date salvate con successo!',
    failed: 'Errore durante il salvataggio',
  },
  {
    path: '/admin/second-trip-details',
    label: 'Titolo secondo viaggio',
    name: 'titolo_viaggio_2',
    saved: 'Dettagli secondo viaggio salvati con successo',
    failed: 'Impossibile salvare i dettagli',
  },
  {
    path: '/admin/checkbox',
    label: 'Prima domanda',
    name: 'domanda_1',
    of: 'questions',
    saved: 'Domande salvate!',
    failed: 'Errore nel salvataggio delle domande',
  },
  {
    path: '/admin/second-trip-checkbox',
    label: 'Seconda domanda',
    name: 'domanda_2_viaggio_2',
    of: 'questions',
    saved: 'Domande salvate con successo',
    failed: 'Errore nel salvataggio delle domande',
  },
  {
    path: '/admin/serata',
    label: 'Nome da contattare',
    name: 'contatto',
    saved: 'Impostazioni salvate!',
    failed: 'Errore durante il salvataggio',
    whenLeft: true,
  },
  {
    path: '/admin/notifiche',
    label: 'Destinatario',
    name: 'email_to',
    saved: 'Impostazioni salvate!',
    failed: 'Errore durante il salvataggio',
    whenLeft: true,
  },
];
/** It has to be an address, too. */
const texts = { mine: 'mio@esempio.it', later: 'poi@esempio.it', theirs: 'suo@esempio.it' };

test.each(ROWS)(
  'saves «$label» of $path by itself, by «Salva», after a failure and beside another hand',
  async (row) => {
    const { path, label, name, of = 'config', whenLeft } = row;
    const server = keeper();
    const save = `${of}.save` as const;
    const stored = () => Reflect.get(server[of], name);
    await openPage(path, server.answers);
    write(label, `  ${texts.mine} `);
    await pass(WRITING_MS - 50);
    expect(sent(save)).toEqual([]);
    if (whenLeft) await leave(label);
    else await pass(50);
    // By itself without a word, and without the spaces around it, which stay while somebody writes.
    expect([sent(save).length, stored()]).toEqual([
      1,
      path.includes('ticket') ? `  ${texts.mine} ` : texts.mine,
    ]);
    expect([told(), field(label).value]).toEqual([[], `  ${texts.mine} `]);
    write(label, texts.later);
    await submit(label);
    expect([stored(), told()]).toEqual([texts.later, [row.saved]]);

    // Nothing typed is lost, and it goes by «Riprova».
    answerWith({ [save]: unreadable });
    write(label, texts.mine);
    await submit(label);
    expect(told()).toEqual([`✗ ${row.failed}`]);
    expect(alerts().at(-1)).toBe(formTexts.notSaved + row.failed + formTexts.retry);
    expect(words()).toContain(saveStates.unsaved);
    answerWith({ [save]: offline });
    await press(formTexts.retry);
    expect(told()).toEqual([`✗ ${networkTexts.offline}`]);
    expect([field(label).value, stored()]).toEqual([texts.mine, texts.later]);
    answerWith(server.answers);
    await press(formTexts.retry);
    expect([stored(), told()]).toEqual([texts.mine, [row.saved]]);
    expect(words()).not.toContain(formTexts.notSaved);

    // Another hand changed the same: both texts are shown, and neither is lost before one is chosen.
    server.elsewhere(of, { [name]: texts.theirs });
    write(label, texts.later);
    await submit(label);
    expect([stored(), told()]).toEqual([texts.theirs, []]);
    for (const text of [conflict.title, conflict.hint, texts.later, texts.theirs, saveStates.conflict])
      expect(words()).toContain(text);
    await press(conflict.keepMine);
    expect([stored(), told()]).toEqual([texts.later, [row.saved]]);
    server.elsewhere(of, { [name]: texts.theirs });
    write(label, texts.mine);
    await submit(label);
    await press(conflict.useTheirs);
    expect([stored(), field(label).value]).toEqual([texts.theirs, texts.theirs]);
    expect(words()).not.toContain(conflict.title);
  },
);
