// Chooses the host. This folder alone imports @tauri-apps/*.
import { isTauri } from '@tauri-apps/api/core';
import { browserHost } from './browser';
import { tauriHost } from './tauri';
import type { Host } from './types';

export type { First, Host, Language, NativeHost, Opened, Session } from './types';

export const host: Host = isTauri() ? tauriHost : browserHost;
