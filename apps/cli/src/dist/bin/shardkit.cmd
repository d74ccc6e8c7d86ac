@echo off
rem Runs the shardkit command of the unpacked archive in the folder above this one.
rem JAVA_HOME, or else PATH, says which Java; SHARDKIT_JAVA_OPTS adds options for the JVM.
setlocal
set "LIB=%~dp0..\lib"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
"%JAVA%" -version >nul 2>&1
if errorlevel 1 (
  echo shardkit: no java found; install Java, 17 or newer, or set JAVA_HOME 1>&2
  exit /b 2
)
set "VERSION="
for /f "tokens=2 delims== " %%v in ('call "%JAVA%" -XshowSettings:properties -version 2^>^&1 ^| findstr /c:"java.specification.version"') do set "VERSION=%%v"
if "%VERSION:~0,2%"=="1." set "VERSION=8"
if %VERSION% LSS 17 (
  echo shardkit: Java 17 or newer is needed; %JAVA% is version %VERSION% 1>&2
  exit /b 2
)
set "CLASSES=%LIB%\*"
set "OPTIONS=-XX:+UseSerialGC -XX:-UsePerfData"
if %VERSION% GEQ 24 set "OPTIONS=%OPTIONS% --sun-misc-unsafe-memory-access=allow"
"%JAVA%" %OPTIONS% %SHARDKIT_JAVA_OPTS% -cp "%CLASSES%" dev.shardkit.cli.Main %*
exit /b %ERRORLEVEL%
