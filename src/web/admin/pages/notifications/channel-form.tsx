import { Alert, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { type ChannelName, channelsSetUp } from '../../../../domain/channels.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { IconCheck, IconMail, IconSend, IconX } from '../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { confirmAction } from '../../components/confirm-action.ts';
import { mergeValues, sameValues } from '../../components/forms/merge.ts';
import { saveWithMerge } from '../../components/forms/save-merging.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { sentenceFor } from '../../components/forms/use-record.ts';
import { SaveBar } from '../../components/save-state.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import { ServiceReply } from './queue.tsx';

const texts = notificationsTexts;
const CARDS = { telegram: texts.telegram, email: texts.mail } as const;

/** `secret`: the typed bot token or password. It is stored nowhere else, and never read back. */
type ChannelValues = Record<string, string> & { secret: string };

export type ChannelOptions<V extends ChannelValues> = {
  name: ChannelName;
  secretField: 'telegram_bot_token' | 'smtp_password';
  /** Returns the masked display of the saved secret, or an empty text. */
  maskOf: (record: ConfigRecord) => string;
  /** The values if nothing is set up. */
  empty: V;
  /** The secret stays empty. */
  toValues: (record: ConfigRecord) => V;
  /** The secret is no field of the record. */
  toFields: (values: V) => Partial<ConfigRecord>;
  /** Returns the typed secret as it is saved; empty to keep the saved one. */
  secretOf: (values: V) => string;
  findErrors: (values: V, record: ConfigRecord) => Partial<Record<keyof V, string | null>>;
};

export type ChannelForm<V extends ChannelValues> = ReturnType<typeof useChannelForm<V>>;

/** `mine`: the values to save. `secret`: null removes the saved one, undefined keeps it. */
type ChannelSave<V> = { typed: V; mine: V; secret: string | null | undefined };

/**
 * The form of a channel, which saves all of its fields at once on request. If another window changed the same fields, or the
 * masked secret, the first save only reports it.
 */
export function useChannelForm<V extends ChannelValues>(channel: ChannelOptions<V>, record: ConfigRecord) {
  const { secretField, maskOf, empty, toValues, toFields, secretOf, findErrors } = channel;
  const client = useQueryClient();
  const id = useId();
  /** The record that the values started from. */
  const [base, setBase] = useState(record);
  const validate = (values: V) => findErrors(values, record);
  const form = useForm<V>({ mode: 'controlled', initialValues: toValues(record), validate });
  const dirty = !sameValues(form.values, toValues(base));
  const { queryKey } = configSource.query;

  const { mutate, isPending } = useMutation({
    mutationFn: ({ mine, secret }: ChannelSave<V>) => {
      const withMask = (row: ConfigRecord) => ({ ...toValues(row), secret: maskOf(row) });
      const also = secret === undefined ? {} : { [secretField]: secret };
      return saveWithMerge<ConfigRecord, V>(
        {
          read: configSource.read,
          save: ({ versione, fields }) => configSource.save({ versione, fields: { ...fields, ...also } }),
          toValues: withMask,
          toFields,
        },
        // A version below that of `base` means that the record was deleted and starts again.
        { ...base, versione: Math.min(base.versione, record.versione) },
        { ...mine, secret: secret === undefined ? maskOf(base) : (secret ?? '') },
      );
    },
    onSuccess: (result, { typed, secret }) => {
      const isSaved = result.kind === 'saved';
      if (!isSaved) toastError(texts.changedElsewhere);
      else toastSuccess(secret === null ? texts.removed : texts.saved);
      client.setQueryData(queryKey, result.record);
      setBase(result.record);
      const isSecretSaved = isSaved && secret !== undefined;
      const shown = {
        ...(isSaved ? toValues(result.record) : result.values),
        secret: isSecretSaved ? '' : typed.secret,
      };
      // Text typed during the save stays.
      form.setValues(mergeValues(typed, form.getValues(), shown).merged);
    },
    onError: (error) => toastError(sentenceFor(error, texts.saveFailed)),
    // Reads the masked secret.
    onSettled: () => client.invalidateQueries({ queryKey }),
  });

  useEffect(() => {
    if (record === base || dirty || isPending) return;
    setBase(record);
    form.setValues(toValues(record));
    // oxlint-disable-next-line react/exhaustive-deps -- a new function isn't a new record
  }, [record, base, dirty, isPending]);

  function save(values: V): void {
    if (!isPending) mutate({ typed: values, mine: values, secret: secretOf(values) || undefined });
  }

  return {
    id,
    name: channel.name,
    record,
    values: form.values,
    setValues: form.setValues,
    input: form.getInputProps,
    dirty,
    saving: isPending,
    isSetUp: maskOf(record) !== '' || !sameValues(toValues(record), empty),
    /** Changes the values and saves them, without a typed secret, which may be incomplete. */
    saveWith: (changes: Partial<V>) => {
      form.setValues(changes);
      const typed = { ...form.getValues(), ...changes };
      if (!isPending) mutate({ typed, mine: { ...typed, secret: '' }, secret: undefined });
    },
    isValid: () => Object.values(validate(form.values)).every((error) => error === null),
    save: () => save(form.values),
    submit: form.onSubmit(save, (errors) => {
      const [field = '', sentence] = Object.entries(errors)[0] ?? [];
      if (typeof sentence === 'string') toastError(sentence);
      document.querySelector<HTMLElement>(`[id="${id}"] [data-path="${field}"]`)?.focus();
    }),
    remove: () => mutate({ typed: form.getValues(), mine: empty, secret: null }),
  };
}

type ChannelCardProps = {
  form: Pick<
    ChannelForm<ChannelValues>,
    'id' | 'name' | 'record' | 'dirty' | 'saving' | 'isSetUp' | 'submit' | 'remove'
  >;
  /** False if there is nothing to save yet. */
  isSavable?: boolean;
  /** The fields. */
  children: ReactNode;
};

/** A channel with its fields, «Salva», and a test message as soon as it is saved. */
export function ChannelCard({ form, isSavable = true, children }: ChannelCardProps) {
  const { id, name, dirty, saving } = form;
  const { title, hint, removeQuestion, removeDetail } = CARDS[name];
  const ask = () =>
    confirmAction({
      question: removeQuestion,
      detail: removeDetail,
      confirmLabel: texts.remove,
      onConfirm: form.remove,
    });
  const state = saving ? 'saving' : dirty ? 'unsaved' : 'saved';
  return (
    <Card title={title} hint={hint}>
      <form id={id} method="dialog" noValidate onSubmit={form.submit}>
        <Stack gap="md">
          {children}
          {isSavable && <SaveBar state={state} form={id} />}
        </Stack>
      </form>
      {channelsSetUp(form.record)[name] && !dirty && <Test channel={name} />}
      {form.isSetUp && (
        <Button variant="subtle" color="red" onClick={ask} style={{ alignSelf: 'flex-start' }}>
          {texts.remove}
        </Button>
      )}
    </Card>
  );
}

const ICONS = { telegram: IconSend, email: IconMail } as const;

/** «Invia un messaggio di prova»: sends at once with the saved settings and shows the service's reply. */
function Test({ channel }: { channel: ChannelName }) {
  const words = texts.test[channel];
  const Icon = ICONS[channel];
  const queryClient = useQueryClient();
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => api.notifications.test({ canale: channel }),
    onError: (error) => toastError(messageOf(error, texts.test.failed)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queries.notifications.key() }),
  });
  return (
    <Stack gap="xs">
      <BusyButton
        variant="default"
        leftSection={<Icon size={18} aria-hidden />}
        working={isPending}
        onClick={() => mutate()}
      >
        {words.send}
      </BusyButton>
      <div role="status">
        {isPending && <Text c="dimmed">{words.sending}</Text>}
        {data !== undefined && !isPending && <Answer channel={channel} {...data} />}
      </div>
    </Stack>
  );
}

function Answer({ channel, sent, answer }: { channel: ChannelName; sent: boolean; answer: string }) {
  const Icon = sent ? IconCheck : IconX;
  const words = texts.test[channel];
  return (
    <Alert color={sent ? 'green' : 'red'} title={sent ? words.good : words.bad} icon={<Icon aria-hidden />}>
      <Stack gap={4}>
        <Text size="sm">{words.answer}</Text>
        <ServiceReply channel={channel} answer={answer} />
      </Stack>
    </Alert>
  );
}
