import { Alert, List, Stack, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { songPageTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { slotTexts } from '../../../../texts/admin/slots.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { UploadArea } from '../../components/media/choose/upload-area.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { SongCard } from './song-card.tsx';

/** `/admin/musica`: the song, if any (spec 2 «Song page»). */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/musica'].title} description={texts.description}>
      <Stack gap="lg" maw="46rem">
        <UploadArea slot="canzone" />
        <Song />
        <Alert color="wine" icon={<IconInfoCircle aria-hidden />} title={texts.noteTitle}>
          <List>
            {texts.note.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </Alert>
      </Stack>
    </PageFrame>
  );
}

function Song() {
  const { loadFailed, listTitle, empty, emptyHint } = slotTexts.canzone;
  const id = useId();
  const songs = useQuery(queries.media.list.queryOptions({ input: { slot: 'canzone' } }));
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <Title order={2} size="h3" id={id}>
        {listTitle}
      </Title>
      <Loaded query={songs} loadFailed={loadFailed} shape="cards" count={1}>
        {([song]) =>
          song === undefined ? (
            <EmptyState drawing="song" title={empty} hint={emptyHint} />
          ) : (
            <SongCard key={song.id} song={song} />
          )
        }
      </Loaded>
    </Stack>
  );
}
