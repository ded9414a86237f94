import { api, queries } from '../../api.ts';

/** The configuration, as a form reads and saves it. */
export const configSource = {
  query: queries.config.read.queryOptions(),
  read: () => api.config.read(),
  save: (input: Parameters<typeof api.config.save>[0]) => api.config.save(input),
};

/** The one row of questions, likewise. */
export const questionsSource = {
  query: queries.questions.read.queryOptions(),
  read: () => api.questions.read(),
  save: (input: Parameters<typeof api.questions.save>[0]) => api.questions.save(input),
};

export type ConfigRecord = Awaited<ReturnType<typeof configSource.read>>;
export type QuestionsRecord = Awaited<ReturnType<typeof questionsSource.read>>;
