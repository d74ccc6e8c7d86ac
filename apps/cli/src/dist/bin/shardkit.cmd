@echo off
rem Runs the shardkit command of the unpacked archive in the folder above this one.
rem JAVA_HOME, or else PATH, says which Java; SHARDKIT_JAVA_OPTS adds options for the JVM. SHARDKIT_STARTS names the
rem folder of the caches that make starts quicker, or is "off".
rem
rem Values with parentheses, as in "Program Files (x86)", end a block early if they are expanded in it without quotes.
rem So blocks are short, and values are quoted. Delayed expansion stays off: it would take exclamation marks from names.
setlocal EnableExtensions DisableDelayedExpansion
for %%d in ("%~dp0..\lib") do set "LIB=%%~fd"

set "JAVA="
if defined JAVA_HOME set "JAVA=%JAVA_HOME:"=%\bin\java.exe"
if defined JAVA if not exist "%JAVA%" set "JAVA="
if not defined JAVA for %%j in (java.exe) do set "JAVA=%%~$PATH:j"
if defined JAVA goto found
echo shardkit: no java found; install Java, 17 or newer, or set JAVA_HOME 1>&2
exit /b 2

:found
rem The JDK says its version in a file: reading it is quicker than a JVM. A java.exe outside its JDK has no such file.
set "VERSION="
set "BUILD="
for %%d in ("%JAVA%\..\..") do set "RELEASE=%%~fd\release"
if not exist "%RELEASE%" goto ask
rem The long line MODULES is left out.
for /f "usebackq eol=M tokens=1,2 delims==" %%a in ("%RELEASE%") do (
  if "%%a"=="JAVA_VERSION" set "VERSION=%%~b"
  if "%%a"=="JAVA_RUNTIME_VERSION" set "BUILD=%%~b"
)
:ask
if not defined VERSION for /f "tokens=2,3" %%a in ('call "%JAVA%" -version 2^>^&1') do if "%%a"=="version" set "VERSION=%%~b"
if not defined BUILD set "BUILD=%VERSION%"
rem 17.0.9 is version 17, 1.8.0_472 is version 8
set "NUMBER=0"
if defined VERSION for /f "tokens=1,2 delims=.-+_" %%a in ("%VERSION%") do if "%%a"=="1" (set "NUMBER=%%b") else (set "NUMBER=%%a")
set "VERSION=%NUMBER%"
if %VERSION% GEQ 17 goto start
if %VERSION%==0 set "VERSION=unknown"
echo shardkit: Java 17 or newer is needed; %JAVA% is version %VERSION% 1>&2
exit /b 2

:start
set "CLASSES=%LIB%\*"
rem What the JVM itself has to say must not get into the data.
set "OPTIONS=-XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable -Xlog:all=error:stderr"
if %VERSION% GEQ 24 set "OPTIONS=%OPTIONS% --sun-misc-unsafe-memory-access=allow"
if %VERSION% GEQ 25 set "OPTIONS=%OPTIONS% -Xlog:aot*=off:stderr"
rem Commands that are over at once need no optimizing compiler. (The native codecs have no library for Windows.)
set "QUICK="
for %%c in (-h -V --help --version info head map plugins create group attrs advise completion) do if "%~1"=="%%c" set "QUICK=-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=10"
if "%~1"=="" set "QUICK=-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=10"
rem Walks over many nodes need the other compiler early.
for %%c in (ls tree du rm mv consolidate) do if "%~1"=="%%c" set "QUICK=-XX:TieredStopAtLevel=1"

rem The cache of loaded classes for this JDK and these jars. Commands work as well without it.
set "STARTS=%SHARDKIT_STARTS%"
if not defined STARTS if defined LOCALAPPDATA set "STARTS=%LOCALAPPDATA%\shardkit\starts"
set "CACHE="
if not defined BUILD goto run
if not defined STARTS goto run
if "%STARTS%"=="off" goto run
set "NAME="
for /f "delims=" %%f in ('dir /b "%LIB%\shardkit-cli-*.jar" 2^>nul') do call :name "%LIB%\%%f"
if not defined NAME goto run
set "CACHE=%STARTS%\%BUILD%-%NAME%-lib.cache"
if not exist "%CACHE%" call :prepare
rem An empty file says that the cache could not be made.
set "SIZE=0"
for %%f in ("%CACHE%") do if exist "%%~f" set "SIZE=%%~zf"
if "%SIZE%"=="0" set "CACHE="

:run
set "START="
if defined CACHE if %VERSION% GEQ 25 set "START=-XX:AOTCache=%CACHE%"
if defined CACHE if %VERSION% LSS 25 set "START=-XX:SharedArchiveFile=%CACHE%"
if not defined START set "START=-XX:+UseSerialGC"
rem The command writes UTF-8. The code page of the console is set back at the end.
set "PAGE="
for /f "tokens=2 delims=:." %%p in ('chcp 2^>nul') do for %%q in (%%p) do set "PAGE=%%q"
if defined PAGE if not "%PAGE%"=="65001" chcp 65001 >nul 2>nul
"%JAVA%" %OPTIONS% %QUICK% "%START%" %SHARDKIT_JAVA_OPTS% -cp "%CLASSES%" dev.shardkit.cli.Main %*
set "STATUS=%ERRORLEVEL%"
if defined PAGE if not "%PAGE%"=="65001" chcp %PAGE% >nul 2>nul
exit /b %STATUS%

:name
set "NAME=%~n1-%~z1"
exit /b

rem Makes the cache by a run of the common commands. It appears by a rename; whoever makes it at the same time makes the
rem same. Removes all caches but the five newest.
:prepare
if not exist "%STARTS%" mkdir "%STARTS%" >nul 2>nul
if not exist "%STARTS%" exit /b
set "NEW=%CACHE%.%RANDOM%%RANDOM%"
if %VERSION% GEQ 25 "%JAVA%" %OPTIONS% "-XX:AOTCacheOutput=%NEW%" -cp "%CLASSES%" dev.shardkit.cli.ArchiveTrainingRun <nul >nul 2>nul
if %VERSION% LSS 25 "%JAVA%" %OPTIONS% "-XX:ArchiveClassesAtExit=%NEW%" -cp "%CLASSES%" dev.shardkit.cli.ArchiveTrainingRun <nul >nul 2>nul
if not exist "%NEW%" type nul >"%NEW%" 2>nul
move /y "%NEW%" "%CACHE%" >nul 2>nul
del /q "%NEW%" "%NEW%.*" >nul 2>nul
for /f "skip=5 delims=" %%f in ('dir /b /o-d "%STARTS%\*-lib.cache" 2^>nul') do del /q "%STARTS%\%%f" >nul 2>nul
exit /b
