import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const { PATH = '', PROGRAMFILES, LOCALAPPDATA, 'PROGRAMFILES(X86)': PROGRAMFILES_X86 } = process.env

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chromium-headless-shell']
const applications = ['Google Chrome', 'Chromium']
const underWindows = ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe']

/** The places where a Chromium or Chrome is when somebody has installed one. */
const places = (): readonly string[] => {
  if (process.platform === 'win32')
    return [PROGRAMFILES, PROGRAMFILES_X86, LOCALAPPDATA].flatMap((folder) =>
      folder === undefined ? [] : underWindows.map((file) => join(folder, file)),
    )
  const onPath = PATH.split(delimiter).flatMap((folder) => commands.map((name) => join(folder, name)))
  if (process.platform !== 'darwin') return onPath
  const folders = ['/Applications', join(process.env.HOME ?? '', 'Applications')]
  return [
    ...folders.flatMap((folder) => applications.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`)),
    ...onPath,
  ]
}

/** Those that are there, the ones to try first at the beginning. */
export async function installedBrowsers(): Promise<readonly string[]> {
  const found: string[] = []
  for (const place of places()) {
    if (await isProgram(place)) found.push(place)
  }
  return found
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
