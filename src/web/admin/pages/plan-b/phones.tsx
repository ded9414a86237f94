import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconQrcode } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { PLAN_B_PASS } from '../../../../domain/plan-b.ts';
import { planBPageTexts as texts } from '../../../../texts/admin/plan-b.ts';
import { dayOf, momentOf } from '../../../../texts/admin/times.ts';
import { deviceOf } from '../../../device.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { NamedPass } from '../../components/named-pass.tsx';
import { messageOf } from '../../failure.ts';

type Phone = Awaited<ReturnType<typeof api.planB.read>>['phones'][number];

const COLORS: Record<Phone['keeps'], string> = { nothing: 'gray', old: 'yellow', current: 'green' };

/** The phones that keep the evening, whether they are up to date, and the way to let one in or have it let go. */
export function KeepingPhones({ phones, mayKeep }: { phones: readonly Phone[]; mayKeep: boolean }) {
  return (
    <Stack component="section" gap="sm" maw="40rem">
      <Title order={2} size="h4">
        {texts.keepTitle}
      </Title>
      <Text>{mayKeep ? texts.keepLead : texts.keepFirst}</Text>
      <Group>
        <Button
          variant="default"
          disabled={!mayKeep}
          leftSection={<IconQrcode size={18} aria-hidden />}
          onClick={openNewPhone}
        >
          {texts.keep}
        </Button>
      </Group>
      {phones.length > 0 && (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={texts.phones}>
          {phones.map((phone) => (
            <OnePhone key={phone.id} phone={phone} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** Asks whose phone it is, and shows the code with which it takes the evening. */
function openNewPhone() {
  openModal({
    title: texts.keep,
    children: (
      <NamedPass
        page="/piano-b/"
        texts={texts}
        nameSigns={PLAN_B_PASS.nameSigns}
        make={(nome) => api.planB.pass({ nome })}
        list={queries.planB.key()}
      />
    ),
  });
}

function OnePhone({ phone: { id, nome, seen_at, user_agent, keeps, scadenza } }: { phone: Phone }) {
  const name = nome === '' ? texts.unnamed : nome;
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={4}>
          <Group gap="sm">
            <Text fw={600}>{name}</Text>
            <Badge variant="light" color={COLORS[keeps]} tt="none">
              {texts.keeps[keeps]}
            </Badge>
          </Group>
          <Text c="dimmed" size="sm">
            {seen_at === null ? texts.neverSeen : texts.seen(deviceOf(user_agent).words, momentOf(seen_at))}.{' '}
            {texts.validUntil(dayOf(scadenza))}.
          </Text>
        </Stack>
        <Withdraw id={id} name={name} />
      </Group>
    </Paper>
  );
}

function Withdraw({ id, name }: { id: number; name: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.planB.close({ id: String(id) }),
    onSuccess: () => toastSuccess(texts.withdrawn),
    onError: (failed) => toastError(messageOf(failed, texts.withdrawFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.planB.key() }),
  });
  const ask = () =>
    confirmAction({
      question: texts.withdrawQuestion(name),
      detail: texts.withdrawHint,
      confirmLabel: texts.withdraw,
      onConfirm: () => mutate(),
    });
  return (
    <Button variant="default" loading={isPending} aria-label={texts.withdrawLabel(name)} onClick={ask}>
      {texts.withdraw}
    </Button>
  );
}
