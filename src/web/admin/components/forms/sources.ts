import { api, queries } from '../../api.ts';

/** Form source for the configuration. */
export const configSource = {
  query: queries.config.read.queryOptions(),
  read: () => api.config.read(),
  save: (input: Parameters<typeof api.config.save>[0]) => api.config.save(input),
};

/** Form source for the one row of questions. */
export const questionsSource = {
  query: queries.questions.read.queryOptions(),
  read: () => api.questions.read(),
  save: (input: Parameters<typeof api.questions.save>[0]) => api.questions.save(input),
};

export type ConfigRecord = Awaited<ReturnType<typeof configSource.read>>;
export type QuestionsRecord = Awaited<ReturnType<typeof questionsSource.read>>;
