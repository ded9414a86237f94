import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { READINESS_PART, type ReadinessItem } from '../../../../domain/readiness-ids.ts';
import { previewTexts } from '../../../../texts/admin/preview.ts';
import { readinessSentences } from '../../../../texts/admin/readiness.ts';

/** The warning about an incomplete configuration, each gap with the way to its page. */
export function GapsAlert({ gaps }: { gaps: readonly ReadinessItem[] }) {
  if (gaps.length === 0) return null;
  return (
    <Alert color="yellow" title={previewTexts.incomplete} icon={<IconAlertTriangle aria-hidden />}>
      <Text>{previewTexts.incompleteHint}</Text>
      <List mt="xs">
        {gaps.map(({ id, page }) => (
          <List.Item key={id}>
            <Anchor
              component={Link}
              to={{ pathname: page, hash: READINESS_PART[id] ?? '' }}
              c="inherit"
              underline="always"
              display="inline-flex"
              mih="2.75rem"
              style={{ alignItems: 'center' }}
            >
              {readinessSentences[id].lacks}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
