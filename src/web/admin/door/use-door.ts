import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Door, door, me } from '../../api/admin.ts';

/** What the door knows; who is signed in already goes straight to the dashboard. */
export function useDoor(): Door | undefined {
  const navigate = useNavigate();
  const [state, setState] = useState<Door>();
  useEffect(() => {
    let wanted = true;
    void door().then((reply) => {
      if (wanted && reply.ok) setState(reply.value);
    });
    void me().then((reply) => {
      if (wanted && reply.ok) void navigate('/admin/dashboard', { replace: true });
    });
    return () => {
      wanted = false;
    };
  }, [navigate]);
  return state;
}
