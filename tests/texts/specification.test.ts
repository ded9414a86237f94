import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_TEXTS } from '../../src/domain/limits.ts';

/** Sentences that the specification quotes (2, 5 and 8), and its default texts (9). */
const QUOTED = `
Inserisci il tuo codice
Inserisci un nome per il token
Inserisci una frase
Seleziona un video
Seleziona un file biglietti (PDF o PNG)
Seleziona un'immagine destinazione
Seleziona un file audio valido
Utente non autenticato
Compila entrambi i campi di testo
La durata deve essere tra 1 e 30 secondi
Il testo del pulsante non può essere vuoto
Configurazione non trovata
Sei sicuro di voler eliminare questo video?
Eliminare questo token?
Sei sicuro di voler eliminare questo biglietto?
Sei sicuro di voler eliminare questa immagine?
Vuoi eliminare la canzone?
Errore durante la verifica
Codice non valido o scaduto
Token non valido
Codice scaduto
Codice già utilizzato il numero massimo di volte
Si è verificato un errore
Sei stato disconnesso dall'amministratore
Configurazione non trovata - Contatta l'amministratore
Video non ancora configurato dall'amministratore
Errore nel caricamento della configurazione
Errore caricamento video
Impossibile avviare il video
Errore durante il download
Errore nell'invio delle risposte
Ti amo...Le risposte sono state inviate.
Le risposte sono state inviate.
Download avviato!
Credenziali non valide
Errore durante la registrazione
Accesso effettuato!
Registrazione completata! Accesso effettuato.
Disconnesso
Errore nel caricamento dei video
Errore durante l'upload
Errore durante la selezione
Errore durante l'eliminazione
Errore durante il salvataggio
Errore nel salvataggio automatico
Errore durante la creazione
Errore nel caricamento delle domande
Errore nel salvataggio delle domande
Errore nel caricamento
Errore nel salvataggio
Errore nel salvataggio del testo
Impossibile caricare le frasi del secondo viaggio
Impossibile salvare le frasi
Impossibile caricare le frasi finali
Errore nel caricamento delle frasi
Errore nel salvataggio delle frasi
Impossibile caricare la configurazione
Impossibile salvare i dettagli
Errore caricamento sessioni
Errore caricamento log
Errore durante l'export
Video caricato e salvato!
Video selezionato come attivo!
Video eliminato
Velocità video salvata!
Frase aggiunta e salvata
Frase rimossa
Ordine salvato
Durata salvata
Frasi finali salvate con successo!
Token creato!
Token copiato!
Token eliminato
Biglietto caricato e salvato!
Immagine caricata e salvata!
Biglietto eliminato
Immagine eliminata
Date salvate con successo!
Domande salvate!
Domande salvate con successo
Configurazione salvata con successo!
Testo del pulsante salvato!
Testo salvato con successo!
Canzone caricata con successo
Canzone eliminata
Frasi del secondo viaggio salvate con successo
Frasi finali salvate con successo
Frasi salvate con successo!
✅ Biglietto secondo viaggio caricato!
✅ Immagine secondo viaggio caricata!
Dettagli secondo viaggio salvati con successo
CSV esportato con successo
Inizia Esperienza
Mai
Da definire
Destinazione
Il Nostro Viaggio
Seconda Destinazione
Il Nostro Secondo Viaggio
P.S dopo aver visto i biglietti torna sul sito
Verifica in corso...
`;

const root = resolve(import.meta.dirname, '../../src/texts');
const modules = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const texts = await Promise.all(
  modules.map((name): Promise<object> => import(/* @vite-ignore */ resolve(root, name))),
);
const known = new Set([...texts, DEFAULT_TEXTS].flatMap(stringsOf));

/** Returns all strings except placeholders, one of which is blank. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === 'placeholder' ? [] : stringsOf(each)));
}

test.each(QUOTED.trim().split('\n'))('contains «%s»', (sentence) => {
  expect(known).toContain(sentence);
});

test('no text is blank', () => {
  expect([...known].filter((text) => text.trim() === '')).toEqual([]);
});

test.each(modules)('%s uses ’ and … unless the specification differs', (name) => {
  const code = readFileSync(resolve(root, name), 'utf8').replace(/\/\*[^]*?\*\/|(?<!:)\/\/.*/g, '');
  const typed = code.match(/[^"`\n]*(\p{L}'\p{L}|\p{L}\.{3})[^"`\n]*/gu) ?? [];
  const quoted = QUOTED.trim().split('\n');
  expect(typed.filter((text) => !quoted.some((sentence) => text.includes(sentence)))).toEqual([]);
});
