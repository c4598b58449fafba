"use client";
import dynamic from "next/dynamic";
import { Component, memo, type ComponentType, type ReactNode } from "react";
import { whenReady } from "@/lib/browser/reach";
import { Alert } from "./alert";
import { Button } from "./button";
import { HydrationMark } from "./hydration-mark";

class LoadError extends Error {}

/** Offers to reload if a component's script couldn't be loaded. Rethrows other errors. */
class LoadBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof LoadError)) throw error;
    return (
      <Alert
        kind="danger"
        title="This part of the page couldn't be loaded"
        action={
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload page
          </Button>
        }
      />
    );
  }
}

interface LazyOptions {
  /** Shown while the script loads. */
  loading?: () => ReactNode;
  /** False for components that need a browser. */
  ssr?: boolean;
}

/**
 * A component whose script isn't part of the page's first scripts: it is loaded when the component is first rendered or hydrated,
 * or once the server is reachable again. For heavy libraries, for dialogs that are opened on demand, and for forms where the page
 * would exceed its limit.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading = () => null, ssr = true }: LazyOptions = {},
): ComponentType<Props> {
  const loadMarked = async (): Promise<ComponentType<Props>> => {
    const Part = await load();
    return (props) => (
      <>
        <Part {...props} />
        <HydrationMark />
      </>
    );
  };
  const loadOrReload = (): Promise<ComponentType<Props>> =>
    loadMarked().catch(async (cause: unknown) => {
      if ((await whenReady()).hasWaited) return loadOrReload();
      reloadOnce();
      throw new LoadError("a script of the page couldn't be loaded", { cause });
    });
  // Without memo, rendering it again before hydration would replace it by its placeholder.
  const Loaded = memo(dynamic(loadOrReload, { ssr, loading }));
  return function Lazy(props: Props) {
    return (
      <LoadBoundary>
        <Loaded {...props} />
      </LoadBoundary>
    );
  };
}

const RELOADED_AT = "signalbox:reloaded-at";
const LOOP_GUARD_MS = 60_000;

/**
 * Reloads the page after one of its scripts failed to load, because an upgrade replaces the build's files.
 * At most once a minute, so that a script that stays broken can't cause a loop.
 */
function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < LOOP_GUARD_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
}
