import { type RefObject, useEffect, useRef, useState } from 'react';
import styles from './gallery.module.css';
import { GROUPS, type Scene } from './scenes.tsx';
import type { Theme } from './theme.ts';

/** Everything she may see, side by side: each scene in a phone of its own, those that follow the phone's theme in both. */
export function Gallery() {
  return (
    <main className={styles.gallery}>
      <h1>Scenes</h1>
      {GROUPS.map(({ name, scenes }) => (
        <section key={name}>
          <h2>{name}</h2>
          <div className={styles.row}>
            {scenes.flatMap((scene) =>
              themesOf(scene).map((theme) => (
                <Phone key={`${scene.name} ${theme}`} id={`${name}/${scene.name}`} theme={theme} />
              )),
            )}
          </div>
        </section>
      ))}
    </main>
  );
}

/** The evening itself is night in both. */
const themesOf = ({ themed }: Scene): Theme[] => (themed ? ['light', 'dark'] : ['dark']);

function Phone({ id, theme }: { id: string; theme: Theme }) {
  const phone = useRef<HTMLDivElement>(null);
  const inView = useInView(phone);
  const address = `/dev/scene?scene=${encodeURIComponent(id)}&theme=${theme}`;
  return (
    <figure className={styles.scene}>
      <div ref={phone} className={styles.phone}>
        {/* A page of our own: it needs no sandbox. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        {inView && <iframe title={`${id}, ${theme}`} src={address} />}
      </div>
      <figcaption>
        <a href={address}>{id.split('/')[1]}</a> {theme === 'light' && '(light)'}
      </figcaption>
    </figure>
  );
}

/** A hundred phones at once are more than a machine can move: those out of sight are off. */
function useInView(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return inView;
}
