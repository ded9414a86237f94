import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isBlank } from '../../../../domain/blank.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { queries } from '../../api.ts';
import { Loading } from '../../components/loading.tsx';

const texts = eveningPageTexts.recipient;
/** Maximum number of proposals. */
const MAX_PROPOSALS = 3;

type Props = {
  typed: string;
  choose: (name: string) => void;
};

/**
 * Proposes the codes' names while the field is empty. A name is only used after a tap, because it may be a private label
 * (decision 024).
 */
export function ProposedNames({ typed, choose }: Props) {
  const { data: codes = [], isPending } = useQuery(queries.tokens.list.queryOptions());
  const names = [...new Set(codes.map(({ nome }) => nome.trim()))].filter(isName).slice(0, MAX_PROPOSALS);
  if (!isBlank(typed)) return null;
  if (isPending) return <Loading shape="rows" count={1} />;
  if (names.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={texts.proposals}>
      <Text c="dimmed">{texts.proposals}</Text>
      {names.map((name) => (
        <Button key={name} variant="light" onClick={() => choose(name)}>
          {texts.propose(name)}
        </Button>
      ))}
    </Group>
  );
}

const isName = (nome: string): boolean => !isBlank(nome) && [...nome].length <= MAX_LENGTH.recipientName;
