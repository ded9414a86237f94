import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconTrash, type TablerIcon } from '@tabler/icons-react';
import type { TokenRecord } from '../../../../contract/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { useCodeButtons } from './code-buttons.tsx';
import { useCodeChanges } from './use-code-changes.ts';

/** Buttons to share, copy, copy the message, show the card, and delete. */
export function CodeActions({ token }: { token: TokenRecord }) {
  const { remove } = useCodeChanges();
  const buttons = useCodeButtons(token);
  const askToRemove = () =>
    confirmAction({
      question: tokensTexts.removeQuestion,
      detail: tokensTexts.removeDetail(token.nome),
      confirmLabel: tokensTexts.remove,
      onConfirm: () => remove.mutate({ id: token.id }),
    });
  return (
    <Group gap={4} wrap="nowrap">
      {buttons.map(({ label, icon, run }) => (
        <Action key={label} label={label} nome={token.nome} icon={icon} onClick={run} />
      ))}
      <Action
        label={tokensTexts.remove}
        nome={token.nome}
        icon={IconTrash}
        color="red"
        working={remove.isPending}
        onClick={askToRemove}
      />
    </Group>
  );
}

type ActionProps = {
  label: string;
  nome: string;
  icon: TablerIcon;
  color?: string;
  working?: boolean;
  onClick: () => void;
};

function Action({ label, nome, icon: Icon, color, working = false, onClick }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        size="lg"
        {...(color === undefined ? {} : { color })}
        loading={working}
        aria-label={tokensTexts.of(label, nome)}
        onClick={onClick}
      >
        <Icon size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
