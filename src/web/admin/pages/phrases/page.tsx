import type { ComponentType } from 'react';
import type { AdminPath } from '../../../../texts/admin/pages.ts';
import {
  intermediatePhrasesTexts,
  phraseListTexts,
  secondTripFinalPhrasesTexts,
  secondTripPhrasesTexts,
} from '../../../../texts/admin/phrases.ts';
import { PhraseListsPage } from './phrase-lists-page.tsx';
import type { ListsPage } from './use-phrase-lists.ts';

/** The four pages of phrases (spec 2), with their lists and sentences. */
const PAGES = {
  '/admin/frasi': {
    name: 'frasi',
    lists: ['frasi_pre_video', 'frasi'],
    setsSeconds: true,
    sentences: phraseListTexts,
  },
  '/admin/intermediate-phrases': {
    name: 'frasi-tra-viaggi',
    lists: ['frasi_tra_viaggi'],
    sentences: intermediatePhrasesTexts,
  },
  '/admin/second-trip-phrases': {
    name: 'frasi-secondo-viaggio',
    lists: ['frasi_secondo_viaggio'],
    sentences: secondTripPhrasesTexts,
  },
  '/admin/second-trip-final-phrases': {
    name: 'frasi-finali-secondo-viaggio',
    lists: ['frasi_finali_secondo_viaggio'],
    sentences: secondTripFinalPhrasesTexts,
  },
} as const satisfies Partial<Record<AdminPath, ListsPage>>;

/** Returns the page of phrases for a path. */
export function phrasesPage(path: keyof typeof PAGES): ComponentType {
  return () => <PhraseListsPage path={path} {...PAGES[path]} />;
}
