import { Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Verdict } from '../../../../domain/diagnosis.ts';
import { diagnosisAdminTexts as texts } from '../../../../texts/admin/diagnosis.ts';
import { momentOf } from '../../../../texts/admin/times.ts';
import { faultTexts, resultText, untestedText, verdictText } from '../../../../texts/diagnosis.ts';
import { deviceOf } from '../../../device.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { copyText } from '../../components/copy-text.tsx';
import { messageOf } from '../../failure.ts';

export type TestedPhone = Awaited<ReturnType<typeof api.diagnosis.list>>['phones'][number];

const COLORS: Record<Verdict, string> = { good: 'green', beware: 'yellow', bad: 'red', unknown: 'gray' };

/** A tested phone: its verdict, and what to do. */
export function PhoneCard({ phone }: { phone: TestedPhone }) {
  const nome = phone.nome === '' ? texts.unnamed : phone.nome;
  const device = deviceOf(phone.user_agent).words;
  const missingTests = untestedText(phone);
  const copy = () => void copyText(resultText(device, phone, phone.findings, nome), texts.resultCopied);
  return (
    <Paper component="article" withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h4">
            {verdictText(phone.verdict, nome)}
          </Title>
          <Badge size="lg" variant="light" color={COLORS[phone.verdict]} tt="none">
            {texts.verdicts[phone.verdict]}
          </Badge>
        </Group>
        <Text c="dimmed" size="sm">
          {texts.at(device, momentOf(phone.at))}
        </Text>
        {phone.faults.length > 0 && (
          <List spacing="xs">
            {phone.faults.map((id) => (
              <List.Item key={id}>{faultTexts[id]}</List.Item>
            ))}
          </List>
        )}
        {missingTests !== '' && (
          <Text c="dimmed" size="sm">
            {missingTests}
          </Text>
        )}
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconCopy size={18} aria-hidden />}
            aria-label={texts.copyLabel(nome)}
            onClick={copy}
          >
            {texts.copy}
          </Button>
          <Remove id={phone.id} nome={nome} />
        </Group>
      </Stack>
    </Paper>
  );
}

function Remove({ id, nome }: { id: string; nome: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.diagnosis.remove({ id }),
    onSuccess: () => toastSuccess(texts.removed),
    onError: (error) => toastError(messageOf(error, texts.removeFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.diagnosis.key() }),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={18} aria-hidden />}
      loading={isPending}
      aria-label={texts.removeLabel(nome)}
      onClick={() =>
        confirmAction({
          question: texts.removeQuestion,
          confirmLabel: texts.remove,
          onConfirm: () => mutate(),
        })
      }
    >
      {texts.remove}
    </Button>
  );
}
