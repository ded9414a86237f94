import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConfigurationField } from '../../../../domain/configuration.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { messageOf } from '../../failure.ts';
import { saveWithRetry } from './save-merging.ts';
import { type ConfigRecord, configSource } from './sources.ts';

const { queryKey } = configSource.query;

/**
 * Returns a field of the configuration that is saved as soon as it is chosen, as saved or as being saved; undefined while unknown.
 * The last choice wins over a concurrent one.
 * @param sentences messages; without `saved` the page shows the save state itself
 */
export function useSavedChoice<F extends ConfigurationField>(
  field: F,
  sentences: { saved?: string; failed: string },
) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(configSource.query);
  const { mutate, isPending, variables } = useMutation({
    // Requests run one after another, so that the last of several quick choices stays.
    scope: { id: field },
    mutationFn: async (value: ConfigRecord[F]) => {
      let record = queryClient.getQueryData(queryKey) ?? (await configSource.read());
      const fields: Partial<ConfigRecord> = { [field]: value };
      return saveWithRetry(
        async () => {
          const { versione } = await configSource.save({ versione: record.versione, fields });
          return { ...record, ...fields, versione };
        },
        async () => {
          record = await configSource.read();
          return undefined;
        },
      );
    },
    onSuccess: (record) => {
      queryClient.setQueryData(queryKey, record);
      if (sentences.saved !== undefined) toastSuccess(sentences.saved);
    },
    onError: (failure) => toastError(messageOf(failure, sentences.failed)),
  });
  return {
    value: isPending ? variables : data?.[field],
    saving: isPending,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
    choose: (value: ConfigRecord[F]) => {
      if (data !== undefined) mutate(value);
    },
  };
}
