import { savedTexts, tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';

type Dates = { data_partenza: string; data_ritorno: string };

/** The first trip's dates (spec 7: «Dates: update {data_partenza, data_ritorno}»). */
export const datesForm = {
  name: 'date-viaggio',
  source: configSource,
  labels: { data_partenza: texts.departure, data_ritorno: texts.return },
  toValues: ({ data_partenza, data_ritorno }) => ({
    data_partenza: data_partenza ?? '',
    data_ritorno: data_ritorno ?? '',
  }),
  toFields: ({ data_partenza, data_ritorno }) => ({
    data_partenza: storedText(data_partenza),
    data_ritorno: storedText(data_ritorno),
  }),
  sentences: {
    saved: texts.datesSaved,
    loadFailed: savedTexts.configFailed,
    saveFailed: savedTexts.saveFailed,
  },
} satisfies RecordFormOptions<ConfigRecord, Dates>;
