import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { previewTexts } from '../../../../texts/admin/preview.ts';
import type { Gap } from './gaps.ts';

/** The warning about an incomplete configuration, each gap with the way to its page. */
export function GapsAlert({ gaps }: { gaps: readonly Gap[] }) {
  if (gaps.length === 0) return null;
  return (
    <Alert color="yellow" title={previewTexts.incomplete} icon={<IconAlertTriangle aria-hidden />}>
      <Text>{previewTexts.incompleteHint}</Text>
      <List mt="xs">
        {gaps.map(({ text, path }) => (
          <List.Item key={path}>
            <Anchor component={Link} to={path} c="inherit" underline="always">
              {text}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
